/* Words and digests of commands.  See command.h. */
#include "io/command.h"

#include <sys/types.h>

#include <errno.h>
#include <inttypes.h>
#include <sha256.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/*
 * Copy the next word to *to, without its quotes and with its NUL; false: there
 * is none.  *open is a quote that is not closed.
 */
static bool copy_word(const char **from, char **to, char *open)
{
    const char *at = *from;
    char quote = '\0';
    while (is_blank(*at))
        at++;
    bool any = *at != '\0';
    for (; *at && (quote || !is_blank(*at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? '\0' : *at;
        else
            *(*to)++ = *at;
    }
    *(*to)++ = '\0';
    *from = at;
    *open = quote;
    return any;
}

hw_code hw_command_split(const char *text, char ***out, hw_error *err)
{
    size_t length = strlen(text), most = length / 2 + 1, n = 0;
    *out = NULL;
    /* The words stand behind the list; each takes no more than it does in the text, and a NUL. */
    size_t list_bytes = (most + 1) * sizeof(char *);
    char *memory = HW_NEW0(char, list_bytes + length + most + 1);
    if (!memory)
        return hw_fail_memory(err, "a command");
    char **list = (char **)(void *)memory;
    char *to = memory + list_bytes, open = '\0';
    for (char *word = to; copy_word(&text, &to, &open) && !open; word = to)
        list[n++] = word;
    list[n] = NULL;
    hw_code code = HW_OK;
    if (open)
        code = hw_fail(err, HW_USAGE, "a quote %c is not closed: close it, or leave it out", open);
    else if (n == 0 || !*list[0])
        code = hw_fail(err, HW_USAGE, "names no program");
    if (code != HW_OK) {
        free(memory);
        return code;
    }
    *out = list;
    return HW_OK;
}

static void number(SHA2_CTX *context, uint64_t value)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%" PRIu64 ";", value);
    SHA256Update(context, (const uint8_t *)text, (size_t)(n > 0 ? n : 0));
}

static hw_code add_file(SHA2_CTX *context, size_t word, const char *path, hw_error *err)
{
    uint8_t bytes[1 << 14];
    size_t n;
    uint64_t total = 0;
    FILE *in = fopen(path, "rbe");
    if (!in)
        return hw_fail(err, HW_IO, "%.300s: cannot be read: %s", path, strerror(errno));
    number(context, word);
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0) {
        SHA256Update(context, bytes, n);
        total += n;
    }
    bool failed = ferror(in) != 0;
    int cause = errno;
    (void)fclose(in);
    number(context, total);
    return failed ? hw_fail(err, HW_IO, "%.300s: cannot be read: %s", path, strerror(cause))
                  : HW_OK;
}

hw_code hw_command_digest(char *const *words, char digest[HW_COMMAND_DIGEST], hw_error *err)
{
    SHA2_CTX context;
    bool any = false;
    hw_code code = HW_OK;
    SHA256Init(&context);
    for (size_t i = 0; code == HW_OK && words[i]; i++) {
        struct stat what;
        if (stat(words[i], &what) != 0 || !S_ISREG(what.st_mode))
            continue;
        any = true;
        code = add_file(&context, i, words[i], err);
    }
    digest[0] = '\0';
    if (!any || code != HW_OK)
        return code;
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    SHA256Final(bytes, &context);
    for (size_t i = 0; i < HW_COMMAND_DIGEST / 2; i++)
        (void)snprintf(digest + 2 * i, 3, "%02x", bytes[i]);
    return HW_OK;
}
