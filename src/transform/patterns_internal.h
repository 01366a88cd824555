/* What patterns are made of, for their matcher (patterns.c) and their reader (patterns_read.c). */
#ifndef HW_TRANSFORM_PATTERNS_INTERNAL_H
#define HW_TRANSFORM_PATTERNS_INTERNAL_H

#include "transform/patterns.h"

typedef struct pattern_item {
    size_t words;    /* "a|b|c" at row->text + words; 0: a class */
    unsigned traits; /* of a class: any of them                  */
    bool any, bias;  /* <any>; <bias>                            */
    bool optional;   /* ? or *                                   */
    bool repeats;    /* * or +                                   */
} pattern_item;

typedef struct pattern_row {
    char *text; /* own: the name and then the words, each with its NUL */
    pattern_item item[HW_PATTERN_ITEMS];
    uint32_t n_items;
} pattern_row;

struct hw_patterns {
    pattern_row *row;
    size_t n, room;
};

#endif
