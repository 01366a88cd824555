/* Keys at the top of a JSON text of which only the head may be there. */
#ifndef HW_IMPORT_JSON_HEAD_H
#define HW_IMPORT_JSON_HEAD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Look for a key of the outermost object in n bytes; *value is what stands after its colon, blanks
 * passed over, *left bytes of it.  False: it is not there, or this is no JSON object.  O(n).
 */
bool hw_json_head_find(const char *bytes, size_t n, const char *key, const char **value,
                       size_t *left);

/* Is the value there a string that begins with these characters? */
bool hw_json_head_begins(const char *bytes, size_t n, const char *key, const char *with);

#endif
