/* page.css and page.js as they are, laid into the program when it is built. */
#include "report/page_internal.h"

const char hw_page_style[] = {
#include "page.css.inc"
    0};

const char hw_page_script[] = {
#include "page.js.inc"
    0};
