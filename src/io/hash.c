/*
 * The hash that names a graph: SHA-256 (FIPS 180-4, by libmd) of the canonical
 * lines.  See io.h.  O(tensors + nodes + edges).
 */
#include <sys/types.h>

#include <sha256.h>

#include "io/io.h"
#include "io/write.h"

static bool digest_bytes(void *context, const char *bytes, size_t n)
{
    SHA256Update((SHA2_CTX *)context, (const uint8_t *)bytes, n);
    return true;
}

hw_code hw_graph_hash(const hw_graph *g, char text[HW_HASH_TEXT], hw_error *err)
{
    static const char hex[] = "0123456789abcdef";
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    hw_sink s;
    SHA256Init(&context);
    hw_sink_start(&s, digest_bytes, &context);
    hw_code code = hw_line_put(g, true, &s, err);
    (void)hw_sink_end(&s);
    SHA256Final(digest, &context);
    for (size_t i = 0; i < sizeof digest; i++) {
        text[2 * i] = hex[digest[i] >> 4];
        text[2 * i + 1] = hex[digest[i] & 15];
    }
    text[2 * sizeof digest] = '\0';
    return code;
}
