/*
 * The built-in rows of the table of operator types: what the documentation of
 * each operator says it computes.  Sources: the operator schemas of ONNX
 * (ai.onnx up to opset 23, ai.onnx.ml, the training preview) and of
 * com.microsoft, the operator definitions of TensorFlow, TensorFlow.js and
 * TFLite, and the names that the families of gen/ give.
 */
#include "import/operators_rows.h"

#include "import/operators.h"

const hw_operator_group hw_operator_groups[] = {
    /* Views: the same bytes under another shape; Dropout at inference is the identity. */
    {HW_OPERATOR_VIEW,
     "Alias Bitcast Dropout EnsureShape expand_dims ExpandDims Flatten Identity IdentityN "
     "PreventGradient Reshape Snapshot Squeeze StopGradient Unsqueeze View"},
    /* Arithmetic, comparison, logic and rounding, element by element; where another
       framework means a reduction by the name, an output of the same size still needs one
       element alone. */
    {HW_OPERATOR_ELEMENTWISE,
     "Abs Acos Acosh Add ADD_N AddN AddV2 And Angle Asin Asinh Atan Atan2 Atanh BiasAdd "
     "BiasDropout Binarizer BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast "
     "CastLike Ceil ClipByValue Complex Conj Cos Cosh Dequantize DequantizeBFP "
     "DequantizeLinear Digamma Div DivNoNan Equal Erf Erfc Erfinv Exp Expm1 FAKE_QUANT "
     "FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars Floor FLOOR_DIV FLOOR_MOD FloorDiv "
     "FloorMod Greater GREATER_EQUAL GreaterEqual GreaterOrEqual Imag Imputer Inv Invert "
     "IsFinite IsInf IsNaN LeftShift Less LESS_EQUAL LessEqual LessOrEqual Lgamma Log Log1p "
     "LOGICAL_AND LOGICAL_NOT LOGICAL_OR LogicalAnd LogicalNot LogicalOr Max Maximum Mean "
     "Min Minimum Mod Mul MulNoNan Ndtri Neg Not NOT_EQUAL NotEqual OnesLike Or Pow "
     "QLinearAdd QLinearMul Quantize QuantizeBFP QuantizeLinear QuantizeV2 Real RealDiv "
     "Reciprocal RightShift Rint Round Rsqrt Scale Scaler Select SELECT_V2 SelectV2 Sign Sin "
     "Sinh Sqrt Square SQUARED_DIFFERENCE SquaredDifference Sub Sum Tan TruncateDiv "
     "TruncateMod WeightedSum Where Xdivy Xlog1py Xlogy Xor ZEROS_LIKE ZerosLike"},
    /* Non-linearities. */
    {HW_OPERATOR_ELEMENTWISE | HW_OPERATOR_ACTIVATION,
     "Affine BiasGelu Celu Clip Elu FastGelu Gelu Hard_Swish HardSigmoid HardSwish HardTanh "
     "ImageScaler Leaky_Relu LeakyRelu Logistic LogSigmoid Mish ParametricSoftplus PRelu "
     "QLinearLeakyRelu QLinearSigmoid QuickGelu Relu Relu6 Relu_0_To_1 Relu_N1_To_1 "
     "ReluN1To1 ScaledTanh Selu Shrink Sigmoid Silu Softplus Softsign Swish Tanh "
     "ThresholdedRelu"},
    /* Gradients of the above, each from the gradient that comes in and what was kept. */
    {HW_OPERATOR_ELEMENTWISE,
     "AddGrad EluGrad GeluGrad InvGrad LeakyReluGrad ReciprocalGrad Relu6Grad ReluGrad "
     "RsqrtGrad SeluGrad SigmoidGrad SoftplusGrad SoftsignGrad SqrtGrad TanhGrad"},
    /* No more than a row at a time: written over their input by kernels that take it in
       order; gradients of norms and losses, steps of optimizers. */
    {HW_OPERATOR_INPLACE,
     "Adagrad Adam BatchNormGrad CrossEntropyGrad Hardmax LayerNormGrad Log_Softmax "
     "LogSoftmax LogSoftmaxGrad Momentum QLinearSoftmax Sgd SgdMomentum Softmax SoftmaxGrad"},
    /* Normalisation that is a scale and a shift per channel at inference. */
    {HW_OPERATOR_ELEMENTWISE | HW_OPERATOR_NORM,
     "_FusedBatchNormEx BatchNormalization FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3"},
    /* The same, training, with statistics of the batch. */
    {HW_OPERATOR_NORM, "BatchNorm SpatialBN"},
    /* Convolutions and matrix products. */
    {HW_OPERATOR_CONVOLUTION,
     "_FusedConv2D _FusedDepthwiseConv2dNative _FusedMatMul Batch_MatMul BatchMatMul "
     "BatchMatMulV2 BatchMatMulV3 Conv Conv1D Conv2D Conv2DBackpropInput Conv3D "
     "Conv3DBackpropInputV2 Conv_2D Conv_3D Conv_3D_Transpose ConvInteger ConvTranspose "
     "ConvTransposeWithDynamicPads DeformConv Dense Depthwise_Conv_2D DepthwiseConv "
     "DepthwiseConv2dNative DynamicQuantizeMatMul Fully_Connected FullyConnected FusedConv "
     "FusedConv2D FusedDepthwiseConv2dNative FusedGemm FusedMatMul FusedMatMulActivation "
     "Gemm GemmFloat8 Linear LinearTied MatMul MatMulBnb4 MatMulFpQ4 MatMulInteger "
     "MatMulInteger16 MatMulIntegerToFloat MatMulNBits NhwcConv NhwcFusedConv QGemm "
     "QLinearConv QLinearConvTranspose QLinearMatMul Transpose_Conv TransposeMatMul "
     "TransScaleMatMul"},
    /* What depends on constants and shapes alone. */
    {HW_OPERATOR_CONSTANT,
     "BlackmanWindow Const Constant ConstantOfShape EyeLike Fill HammingWindow HannWindow "
     "LinSpace MelWeightMatrix Ones Range SequenceEmpty Zeros"},
    /* Random numbers; what draws them from a key that it is given (StatelessRandom...) is
       free to move. */
    {HW_OPERATOR_RANDOM,
     "AllCandidateSampler Bernoulli BitmaskBiasDropout BitmaskDropout "
     "FixedUnigramCandidateSampler LearnedUnigramCandidateSampler LogUniformCandidateSampler "
     "Multinomial NonDeterministicInts ParameterizedTruncatedNormal Random_Standard_Normal "
     "Random_Uniform RandomCrop RandomDataset RandomGamma RandomGammaGrad RandomNormal "
     "RandomNormalLike RandomPoisson RandomPoissonV2 RandomShuffle RandomStandardNormal "
     "RandomUniform RandomUniformInt RandomUniformLike SampleDistortedBoundingBox "
     "SampleDistortedBoundingBoxV2 Sampling StatefulRandomBinomial StatefulStandardNormal "
     "StatefulStandardNormalV2 StatefulTruncatedNormal StatefulUniform "
     "StatefulUniformFullInt StatefulUniformInt ThreadUnsafeUnigramCandidateSampler "
     "TruncatedNormal UniformCandidateSampler"},
    /* What outlives the run: variables, queues, tables, iterators, steps of optimizers on
       variables. */
    {HW_OPERATOR_STATE,
     "AccumulatorApplyGradient AccumulatorNumAccumulated AccumulatorSetGlobalStep "
     "AccumulatorTakeGradient AnonymousIterator AnonymousIteratorV2 AnonymousIteratorV3 "
     "ApplyAdadelta ApplyAdagrad ApplyAdam ApplyFtrl ApplyGradientDescent ApplyMomentum "
     "ApplyRMSProp Assign Assign_Variable AssignAdd AssignAddVariableOp AssignSub "
     "AssignSubVariableOp AssignVariableOp Barrier BarrierClose BarrierIncompleteSize "
     "BarrierInsertMany BarrierReadySize BarrierTakeMany Call_Once ConditionalAccumulator "
     "ConsumeMutexLock CountUpTo DeleteIterator DestroyResourceOp DestroyTemporaryVariable "
     "EagerPyFunc FIFOQueue FIFOQueueV2 Hashtable Hashtable_Find Hashtable_Import "
     "Hashtable_Size HashTableV2 InitializeTable InitializeTableV2 IsVariableInitialized "
     "Iterator IteratorFromStringHandle IteratorGetNext IteratorGetNextAsOptional "
     "IteratorGetNextSync IteratorToStringHandle IteratorV2 LookupTableExport "
     "LookupTableExportV2 LookupTableFind LookupTableFindV2 LookupTableImport "
     "LookupTableImportV2 LookupTableInsert LookupTableInsertV2 LookupTableRemoveV2 "
     "LookupTableSize LookupTableSizeV2 MakeIterator MapStage MapUnstage MultiDeviceIterator "
     "MultiDeviceIteratorGetNextFromShard MutableDenseHashTable MutableDenseHashTableV2 "
     "MutableHashTable MutableHashTableV2 MutexLock MutexV2 OneShotIterator PaddingFIFOQueue "
     "PaddingFIFOQueueV2 PriorityQueue PriorityQueueV2 PyFunc QueueClose QueueCloseV2 "
     "QueueDequeue QueueDequeueMany QueueDequeueManyV2 QueueDequeueUpTo QueueDequeueUpToV2 "
     "QueueDequeueV2 QueueEnqueue QueueEnqueueMany QueueEnqueueManyV2 QueueEnqueueV2 "
     "QueueIsClosed QueueIsClosedV2 QueueSize QueueSizeV2 RandomShuffleQueue "
     "RandomShuffleQueueV2 Read_Variable ReadVariableOp ResourceApplyAdadelta "
     "ResourceApplyAdagrad ResourceApplyAdagradV2 ResourceApplyAdam ResourceApplyAdaMax "
     "ResourceApplyAdamWithAmsgrad ResourceApplyCenteredRMSProp ResourceApplyFtrl "
     "ResourceApplyFtrlV2 ResourceApplyGradientDescent ResourceApplyKerasMomentum "
     "ResourceApplyMomentum ResourceApplyRMSProp ResourceCountUpTo ResourceGather "
     "ResourceGatherNd ResourceScatterAdd ResourceScatterDiv ResourceScatterMax "
     "ResourceScatterMin ResourceScatterMul ResourceScatterNdAdd ResourceScatterNdSub "
     "ResourceScatterNdUpdate ResourceScatterSub ResourceScatterUpdate "
     "ResourceStridedSliceAssign ScatterAdd ScatterDiv ScatterMax ScatterMin ScatterMul "
     "ScatterNdAdd ScatterNdSub ScatterNdUpdate ScatterSub ScatterUpdate "
     "SparseConditionalAccumulator StackClose StackCloseV2 StackPop StackPopV2 StackPush "
     "StackPushV2 StackV2 Stage StageClear StagePeek StageSize StatefulPartitionedCall "
     "StridedSliceAssign TemporaryVariable TensorArray TensorArrayCloseV3 "
     "TensorArrayConcatV3 TensorArrayGatherV3 TensorArrayGradV3 TensorArrayRead "
     "TensorArrayReadV3 TensorArrayScatterV3 TensorArraySizeV3 TensorArraySplitV3 "
     "TensorArrayV2 TensorArrayV3 TensorArrayWrite TensorArrayWriteV3 Unstage Var_Handle "
     "VarHandleOp Variable VariableV2 VarIsInitializedOp"},
    /* The world outside: printing, files, other machines and devices. */
    {HW_OPERATOR_IO,
     "_HostRecv _HostSend _Recv _Send Abort AllGather AllReduce AllToAll Assert "
     "CloseSummaryWriter CollectiveBcastRecv CollectiveBcastSend CollectiveGather "
     "CollectiveGatherV2 CollectiveReduce CollectiveReduceV2 CreateSummaryDbWriter "
     "CreateSummaryFileWriter DebugIdentity DebugIdentityV2 DebugNumericSummary "
     "DebugNumericSummaryV2 FixedLengthRecordReader FixedLengthRecordReaderV2 "
     "FlushSummaryWriter HorovodAllgather HorovodAllreduce HorovodBroadcast IdentityReader "
     "IdentityReaderV2 ImportEvent InfeedDequeue InfeedDequeueTuple InfeedEnqueue "
     "InfeedEnqueueTuple MatchingFiles MergeV2Checkpoints NcclAllGather NcclAllReduce "
     "NcclAllToAll NcclBroadcast NcclReduce OutfeedDequeue OutfeedDequeueTuple "
     "OutfeedEnqueue OutfeedEnqueueTuple Print PrintV2 ReaderRead ReaderReadUpTo "
     "ReaderReadUpToV2 ReaderReadV2 ReaderReset ReaderResetV2 ReadFile Recv ReduceScatter "
     "Restore RestoreSlice RestoreV2 Save SaveSlices SaveV2 Send ShardedFilename "
     "SummaryWriter TextLineReader TextLineReaderV2 TFRecordReader TFRecordReaderV2 "
     "Timestamp WholeFileReader WholeFileReaderV2 WriteAudioSummary WriteFile "
     "WriteGraphSummary WriteHistogramSummary WriteImageSummary WriteRawProtoSummary "
     "WriteScalarSummary WriteSummary"},
    /* Known, with none of the traits: ONNX. */
    {0, "AffineGrid ArgMax ArgMin ArrayFeatureExtractor Attention AveragePool CastMap "
        "CategoryMapper CenterCropPad Col2Im Compress Concat ConcatFromSequence CumProd CumSum "
        "DepthToSpace Det DFT DictVectorizer DynamicQuantizeLinear Einsum Expand "
        "FeatureVectorizer Gather GatherElements GatherND GlobalAveragePool GlobalLpPool "
        "GlobalMaxPool Gradient GridSample GroupNormalization GRU If ImageDecoder "
        "InstanceNormalization LabelEncoder LayerNormalization LinearClassifier LinearRegressor "
        "Loop LpNormalization LpPool LRN LSTM MaxPool MaxRoiPool MaxUnpool "
        "MeanVarianceNormalization NegativeLogLikelihoodLoss NonMaxSuppression NonZero "
        "Normalizer OneHot OneHotEncoder Optional OptionalGetElement OptionalHasElement Pad "
        "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin "
        "ReduceProd ReduceSum ReduceSumSquare RegexFullMatch Resize ReverseSequence "
        "RMSNormalization RNN RoiAlign RotaryEmbedding Scan Scatter ScatterElements ScatterND "
        "SequenceAt SequenceConstruct SequenceErase SequenceInsert SequenceLength SequenceMap "
        "Shape Size Slice SoftmaxCrossEntropyLoss SpaceToDepth Split SplitToSequence STFT "
        "StringConcat StringNormalizer StringSplit SVMClassifier SVMRegressor TensorScatter "
        "TfIdfVectorizer Tile TopK Transpose TreeEnsemble TreeEnsembleClassifier "
        "TreeEnsembleRegressor Trilu Unique Upsample ZipMap"},
    /* And other frameworks. */
    {0, "All Any Assemble Average_Pool_2D AveragePoolGrad AvgPool AvgPool3D Batch_To_Space_ND "
        "BatchToSpaceND BeamSearch BiasSoftmax BiasSplitGelu Broadcast_To BroadcastTo CDist "
        "Concatenation ConcatOffset ConcatV2 ConvGradInput ConvGradWeight CropAndResize "
        "CrossEntropy DecoderAttention DecoderMaskedMultiHeadAttention "
        "DecoderMaskedSelfAttention Depth_To_Space DynamicQuantizeLSTM Embedding "
        "Embedding_Lookup EmbeddingGrad EmbedLayerNormalization GatedRelativePositionBias "
        "Gather_ND GatherV2 GlobalAveragePoolGrad GreedySearch GroupNorm GroupQueryAttention "
        "Inverse Irfft L2_Normalization L2_Pool_2D LayerNorm LinearGradInput LinearGradWeight "
        "Local_Response_Normalization LocalResponseNormalization LongformerAttention LRNGrad "
        "MatMulGradA MatMulGradB Max_Pool_2D MaxPool3D MaxPoolGrad MaxPoolV2 MaxPoolWithArgmax "
        "MaxpoolWithMask MeanSquare Mirror_Pad MirrorPad MultiHeadAttention MurmurHash3 "
        "NGramRepeatBlock NhwcMaxPool NoOp One_Hot Pack PackedAttention "
        "PackedMultiHeadAttention PadCrop PadV2 PartitionedCall Placeholder "
        "PlaceholderWithDefault Prod QAttention QEmbedLayerNormalization QLinearAveragePool "
        "QLinearConcat QLinearGlobalAveragePool QLinearReduceMean QLinearWhere "
        "RelativePositionBias RemovePadding ReorderInput ReorderOutput Resize_Bilinear "
        "Resize_Nearest_Neighbor ResizeBilinear ResizeNearestNeighbor RestorePadding Reverse "
        "Reverse_V2 ReverseV2 Rfft SimplifiedLayerNormalization SkipGroupNorm "
        "SkipLayerNormalization SkipSimplifiedLayerNormalization SliceGrad Space_To_Batch_ND "
        "Space_To_Depth SpaceToBatchND SparseAttention Split_V SplitV StatelessIf "
        "StatelessRandomNormal StatelessRandomUniform StatelessTruncatedNormal StatelessWhile "
        "Strided_Slice StridedSlice Tokenizer Topk_V2 TopKV2 Unpack While WhisperBeamSearch "
        "WordConvEmbedding"},
};
const size_t hw_n_operator_groups = sizeof hw_operator_groups / sizeof hw_operator_groups[0];
