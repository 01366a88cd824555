/*
 * SANITIZED is 1 in a build with the address sanitizer, by gcc or clang, and 0
 * otherwise.  Its allocator is not that of the C library, and ends a process
 * that gets no memory; and what it watches takes several times as long: FEWER(n)
 * of n random inputs are enough there, as the plain build tries all of them.
 */
#ifndef HW_SUPPORT_SANITIZED_H
#define HW_SUPPORT_SANITIZED_H

#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#define FEWER(n) ((n) / (SANITIZED ? 8 : 1))

#endif
