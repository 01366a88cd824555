/* The rules of scale.c that are read from a file (scale_file.c). */
#ifndef HW_IMPORT_SCALE_INTERNAL_H
#define HW_IMPORT_SCALE_INTERNAL_H

#include "import/scale.h"

/* Fill the growth of storage roots and workspaces as the file says. */
hw_code hw_scale_read_file(const hw_graph *g, const char *path, hw_scale *s, hw_error *err);

#endif
