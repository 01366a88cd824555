/*
 * Error codes and the error context.
 *
 * The library never exits, prints or keeps globals.  A function that can fail
 * returns an hw_code and, through its last parameter, fills a context that the
 * caller owns.  A message names the file or the object, what was wrong and
 * what would be right.
 */
#ifndef HW_CORE_ERROR_H
#define HW_CORE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* What came of a call. */
typedef enum hw_code {
    HW_OK = 0,       /* done                                                */
    HW_CHECK_FAILED, /* a check that the user asked for did not hold        */
    HW_USAGE,        /* unknown name, impossible parameter                  */
    HW_BAD_INPUT,    /* malformed or refused content of a file or a graph   */
    HW_IO,           /* a file cannot be opened, read or written            */
    HW_LIMIT,        /* a limit came before any answer                      */
    HW_NO_MEMORY,    /* allocation failed                                   */
    HW_STOPPED,      /* a signal or the caller asked to stop                */
    HW_CRASHED,      /* a program of the user's failed or was ended         */
    HW_INTERNAL      /* a disagreement inside the program: a bug            */
} hw_code;

enum { HW_MESSAGE_BYTES = 1024 }; /* of hw_error.message, NUL included */

/* The context that takes the message of a failure; the caller's, and no call needs one. */
typedef struct hw_error {
    hw_code code;                   /* of the failure                         */
    char message[HW_MESSAGE_BYTES]; /* one line, NUL-terminated, for a person */
} hw_error;

/* Store code and a formatted message in err (may be NULL); returns code. */
hw_code hw_fail(hw_error *err, hw_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Store the message of HW_NO_MEMORY: says for what the memory was meant. */
void hw_note_memory(hw_error *err, const char *what);

/*
 * The same, and the code to return: inline, so that compilers and analysers
 * see that it is never HW_OK.
 */
static inline hw_code hw_fail_memory(hw_error *err, const char *what)
{
    hw_note_memory(err, what);
    return HW_NO_MEMORY;
}

/* Put a formatted prefix ("file.json: ") before the message that err holds. */
void hw_error_prefix(hw_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The exit status that a program ends with after code (see highwater(1)). */
int hw_exit_status(hw_code code);

#ifdef __cplusplus
}
#endif

#endif
