/* The keeper of a program: between guest.c and the program itself. */
#ifndef HW_IO_GUEST_KEEPER_H
#define HW_IO_GUEST_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

/* What the keeper is made of; all prepared before the fork. */
typedef struct hw_keeper {
    const char *file; /* of the program */
    char **argument;
    char **environment;
    int standard[3];     /* ends of the program's pipes                                      */
    int report;          /* a pipe to the caller                                             */
    int lifeline;        /* a pipe from it: a byte asks the program to end, its end kills it */
    uint64_t data_bytes; /* RLIMIT_DATA of the program; 0: as it is                          */
} hw_keeper;

/* What comes through `report`, once. */
typedef struct hw_keeper_report {
    bool started;
    int cause;  /* errno, where it was not started */
    int status; /* as waitpid() gives it           */
    double cpu_seconds;
    uint64_t memory_bytes;
} hw_keeper_report;

/* The life of the keeper, in a process made for it by fork(): calls only what is safe there. */
_Noreturn void hw_keeper_live(const hw_keeper *keeper);

#endif
