/* The fuzz targets, fuzz_NAME.c each, that tests/test_fuzz.c runs on their corpora. */
#ifndef HW_TESTS_FUZZ_TARGETS_H
#define HW_TESTS_FUZZ_TARGETS_H

#define FUZZ_TARGETS(X)                                                                            \
    X(arena)                                                                                       \
    X(check)                                                                                       \
    X(figures)                                                                                     \
    X(files)                                                                                       \
    X(graphml)                                                                                     \
    X(json)                                                                                        \
    X(line)                                                                                        \
    X(merge)                                                                                       \
    X(onnx)                                                                                        \
    X(page)                                                                                        \
    X(proof)                                                                                       \
    X(results)                                                                                     \
    X(solvers)                                                                                     \
    X(suite)                                                                                       \
    X(text)                                                                                        \
    X(workflow)

#endif
