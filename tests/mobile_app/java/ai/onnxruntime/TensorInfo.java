package ai.onnxruntime;

public final class TensorInfo {
    private final long[] shape;

    TensorInfo(long[] shape) {
        this.shape = shape;
    }

    public long[] getShape() {
        return shape;
    }
}
