/*
 * highwater-onnx-shapes: a model of ONNX on standard input, the same with the
 * types and shapes that ONNX's own inference finds on standard output.
 *
 * A program of its own, for two reasons.  Where the library behind it crashes,
 * runs away or eats memory over a hostile model, it is this process that ends.
 * And linked into highwater it would add two milliseconds to the three that
 * every start takes, for the sake of models without shapes, which take ten
 * here.  Exit status 1: no model; 2: the inference gave up, its
 * reason is on standard error.
 */
#define ONNX_ML 1
#define ONNX_NAMESPACE onnx

#include <exception>
#include <iostream>
#include <sys/resource.h>

#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

/* Far above what a model without its weights needs. */
static const rlim_t most_bytes = rlim_t{4} << 30, most_seconds = 60;

static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0 || (now.rlim_max != RLIM_INFINITY && now.rlim_max < most))
        return;
    now.rlim_cur = now.rlim_max = most;
    (void)setrlimit(what, &now);
}

int main()
{
    limit(RLIMIT_AS, most_bytes);
    limit(RLIMIT_CPU, most_seconds);
    limit(RLIMIT_CORE, 0);
    try {
        onnx::ModelProto model;
        if (!model.ParseFromIstream(&std::cin)) {
            std::cerr << "standard input holds no ONNX model\n";
            return 1;
        }
        /* Types are not checked and a node that fails is passed over: what it
           leaves without a shape, the caller tells.  Values of shapes are
           followed, so that Shape, Gather, Concat, Reshape come out. */
        const onnx::ShapeInferenceOptions options(false, 0, true);
        onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), options);
        if (!model.SerializeToOstream(&std::cout) || !std::cout.flush())
            return 1;
    } catch (const std::exception &e) {
        std::cerr << e.what() << '\n';
        return 2;
    }
    return 0;
}
