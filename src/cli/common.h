/* The options that commands share, between reading them and their help. */
#ifndef HW_CLI_COMMON_H
#define HW_CLI_COMMON_H

#include "cli/cli.h"

typedef struct hw_common_option {
    unsigned flag; /* HW_CLI_* of the commands that have it; 0: all */
    char letter;   /* short form, or '\0' */
    hw_option option;
} hw_common_option;

extern const hw_common_option hw_common_options[];
extern const size_t hw_n_common_options;

bool hw_common_applies(const hw_common_option *row, const hw_command *command);

#endif
