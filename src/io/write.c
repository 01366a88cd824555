/* Writing a graph in any format.  See io.h. */
#include "io/write.h"

#include "io/graphml.h"
#include "io/io.h"

hw_code hw_graph_write(const hw_graph *g, hw_format format, FILE *out, hw_error *err)
{
    hw_sink s;
    hw_code code = HW_OK;
    hw_sink_to_file(&s, out);
    switch (format) {
    case HW_FORMAT_JSON:
        hw_json_put(g, &s);
        break;
    case HW_FORMAT_LINE:
        code = hw_line_put(g, false, &s, err);
        break;
    case HW_FORMAT_GRAPHML:
        return hw_graphml_write(g, out, err);
    case HW_FORMAT_DOT:
        code = hw_dot_put(g, &s, err);
        break;
    }
    return code == HW_OK ? hw_sink_end_file(&s, out, err) : code;
}
