#!/bin/sh
# Encode the models of tests/cases/onnx, which are kept as text (.txt) and as
# the files that tests read (.onnx).  Needs protoc (package protobuf-compiler)
# and the schema of libonnx-dev.
#
#   sh scripts/onnx-cases.sh           write the files anew
#   sh scripts/onnx-cases.sh --check   say which are not what their text gives
set -eu
cd "$(dirname "$0")/../tests/cases/onnx"
proto=${ONNX_PROTO:-/usr/include/onnx/onnx.proto}
status=0
for text in *.txt; do
    model=${text%.txt}.onnx
    protoc --proto_path="$(dirname "$proto")" --encode=onnx.ModelProto "$proto" <"$text" >"$model.new"
    if [ "${1:-}" = --check ]; then
        cmp -s "$model" "$model.new" || { echo "$model is not what $text gives" >&2; status=1; }
        rm -f "$model.new"
    else
        mv "$model.new" "$model"
    fi
done
exit $status
