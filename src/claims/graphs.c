/* Real graphs for experiments.  See graphs.h. */
#include "claims/graphs.h"

#include <string.h>

#include "claims/tools.h"

static unsigned kind_of(const hw_graph *g)
{
    const char *dash = strrchr(g->name, '-');
    if (dash && strcmp(dash, "-training") == 0)
        return HW_CLAIM_TRAINING;
    return dash && strcmp(dash, "-inference") == 0 ? HW_CLAIM_INFERENCE : HW_CLAIM_FILES;
}

static hw_code few(const hw_claim_run *run, unsigned kinds, hw_claim_take take, void *context,
                   hw_error *err)
{
    static const struct {
        const char *name, *spec;
        unsigned kind;
    } nets[] = {
        {"resnet50", "nets:net=resnet50", HW_CLAIM_INFERENCE},
        {"inception-v1", "nets:net=inception-v1", HW_CLAIM_INFERENCE},
        {"unet", "nets:net=unet", HW_CLAIM_INFERENCE},
        {"transformer-block", "nets:net=transformer-block", HW_CLAIM_INFERENCE},
        {"gpt2-heads", "nets:net=gpt2-heads,layers=2", HW_CLAIM_INFERENCE},
        {"mlp", "nets:net=mlp,mode=training", HW_CLAIM_TRAINING},
        {"resnet-cifar", "nets:net=resnet-cifar,mode=training", HW_CLAIM_TRAINING},
        {"transformer-block", "nets:net=transformer-block,mode=training", HW_CLAIM_TRAINING},
    };
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < sizeof nets / sizeof nets[0]; i++) {
        hw_graph *g = NULL;
        if (!(kinds & nets[i].kind))
            continue;
        if (hw_claim_stopped(run))
            return hw_fail(err, HW_STOPPED, "stopped by a signal");
        code = hw_claim_generate(nets[i].spec, 0, 0, &g, err);
        if (code == HW_OK)
            code = take(context, nets[i].name, nets[i].kind, g, err);
        hw_graph_free(g);
    }
    return code;
}

hw_code hw_claim_each_graph(const hw_claim_run *run, unsigned kinds, hw_claim_take take,
                            void *context, hw_error *err)
{
    hw_claim_set set = {0};
    if (!hw_claim_effort(run, 0, 1))
        return few(run, kinds, take, context, err);
    hw_code code = hw_claim_real_graphs(run, 0, &set, err);
    for (size_t i = 0; code == HW_OK && i < set.n; i++) {
        const hw_graph *g = set.graph[i];
        if (hw_claim_stopped(run))
            code = hw_fail(err, HW_STOPPED, "stopped by a signal");
        else if (kinds & kind_of(g))
            code = take(context, g->name, kind_of(g), g, err);
    }
    hw_claim_set_clear(&set);
    return code;
}
