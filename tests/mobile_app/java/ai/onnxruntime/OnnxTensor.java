package ai.onnxruntime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** Stand-in that checks what the real class checks: the buffer holds as many numbers as the shape says. */
public final class OnnxTensor implements OnnxValue {
    public static int open = 0;
    final float[] values;
    final long[] shape;
    private boolean closed = false;

    OnnxTensor(float[] values, long[] shape) {
        this.values = values;
        this.shape = shape;
        open++;
    }

    public static OnnxTensor createTensor(OrtEnvironment environment, FloatBuffer data, long[] shape)
            throws OrtException {
        long wanted = 1;
        for (long side : shape) {
            wanted *= side;
        }
        if (data.remaining() != wanted) {
            throw new OrtException("shape wants " + wanted + " numbers, the buffer has " + data.remaining());
        }
        if (data.order() != ByteOrder.nativeOrder()) {
            throw new OrtException("numbers are not in this machine's byte order");
        }
        float[] values = new float[data.remaining()];
        data.get(values);
        return new OnnxTensor(values, shape);
    }

    public TensorInfo getInfo() {
        return new TensorInfo(shape);
    }

    public ByteBuffer getByteBuffer() {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * 4).order(ByteOrder.nativeOrder());
        buffer.asFloatBuffer().put(values);
        return buffer;
    }

    public void close() {
        if (closed) {
            throw new IllegalStateException("closed twice");
        }
        closed = true;
        open--;
    }
}
