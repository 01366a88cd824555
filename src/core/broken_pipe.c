/* Writing into pipes whose other end may be gone.  See broken_pipe.h. */
#include "core/broken_pipe.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static bool is_pending(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

static sigset_t the_signal(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGPIPE);
    return set;
}

void hw_broken_pipe_begin(hw_broken_pipe *b)
{
    const sigset_t broken = the_signal();
    b->was_pending = is_pending();
    (void)pthread_sigmask(SIG_BLOCK, &broken, &b->before);
}

void hw_broken_pipe_end(const hw_broken_pipe *b)
{
    const sigset_t broken = the_signal();
    const struct timespec no_time = {0};
    int kept = errno;
    if (!b->was_pending && is_pending())
        while (sigtimedwait(&broken, NULL, &no_time) < 0 && errno == EINTR)
            continue;
    (void)pthread_sigmask(SIG_SETMASK, &b->before, NULL);
    errno = kept;
}
