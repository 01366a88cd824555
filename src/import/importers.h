/* The rows of importers.c. */
#ifndef HW_IMPORT_IMPORTERS_H
#define HW_IMPORT_IMPORTERS_H

#include "import/import.h"

extern const hw_importer hw_importer_onnx;
extern const hw_importer hw_importer_workflow; /* WfCommons JSON             */
extern const hw_importer hw_importer_digraph;  /* DOT with sizes             */
extern const hw_importer hw_importer_dagmem;   /* n m, sizes, edges          */
extern const hw_importer hw_importer_adamem;   /* n m, edges with sizes      */
extern const hw_importer hw_importer_edges;    /* lines u v bytes            */

/* Known, and refused with a word on what to do (refused.c). */
extern const hw_importer hw_importer_minimalloc;
extern const hw_importer hw_importer_tfjs;
extern const hw_importer hw_importer_tflite;
extern const hw_importer hw_importer_daggen;
extern const hw_importer hw_importer_packed;
extern const hw_importer hw_importer_onnx_text;

#endif
