/* The environment of a replay's child: the caller's, but for what steers allocators. */
#ifndef HW_REPLAY_ENVIRONMENT_INTERNAL_H
#define HW_REPLAY_ENVIRONMENT_INTERNAL_H

#include "replay/replay.h"

typedef struct hw_replay_environment {
    const char **variable; /* "NAME=VALUE", NULL at the end; the texts are not its own */
    char *preload;
} hw_replay_environment;

/* Released by hw_replay_environment_free().  HW_NO_MEMORY. */
hw_code hw_replay_environment_make(hw_replay_environment *e, const hw_replay_request *request,
                                   hw_error *err);
void hw_replay_environment_free(hw_replay_environment *e);

#endif
