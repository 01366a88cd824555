#!/bin/sh
# Encode the models of tests/cases/onnx and examples, which are kept as text (.txt)
# and as the files that are read (.onnx).  Needs protoc-c (package
# protobuf-c-compiler) and the schema of libonnx-dev.
#
#   sh scripts/onnx-cases.sh           write the files anew
#   sh scripts/onnx-cases.sh --check   say which are not what their text gives
set -eu
cd "$(dirname "$0")/.."
proto=${ONNX_PROTO:-/usr/include/onnx/onnx.proto}
status=0
new=$(mktemp)
trap 'rm -f "$new"' EXIT
for text in tests/cases/onnx/*.txt examples/*.txt; do
    model=${text%.txt}.onnx
    protoc-c --proto_path="$(dirname "$proto")" --encode=onnx.ModelProto "$proto" <"$text" >"$new"
    if [ "${1:-}" = --check ]; then
        cmp -s "$model" "$new" || { echo "$model is not what $text gives" >&2; status=1; }
    else
        cat "$new" >"$model"
    fi
done
exit $status
