package ai.onnxruntime;

import java.util.Map;

/** Stand-in whose model gives two outputs: the input doubled, and the sum of each row of it. */
public final class OrtSession {
    public static int threads = 0;

    OrtSession(SessionOptions options) {
        threads = options.threads;
    }

    public Result run(Map<String, OnnxTensor> inputs) throws OrtException {
        if (inputs.size() != 1 || !inputs.containsKey("image")) {
            throw new OrtException("the model has one input, image");
        }
        OnnxTensor image = inputs.get("image");
        float[] doubled = new float[image.values.length];
        int rows = (int) image.shape[0];
        float[] sums = new float[rows];
        int row = doubled.length / rows;
        for (int place = 0; place < doubled.length; place++) {
            doubled[place] = 2 * image.values[place];
            sums[place / row] += image.values[place];
        }
        return new Result(new OnnxTensor(doubled, image.shape), new OnnxTensor(sums, new long[] {rows}));
    }

    public static final class SessionOptions {
        int threads = 0;

        public void setIntraOpNumThreads(int threads) throws OrtException {
            this.threads = threads;
        }
    }

    public static final class Result implements AutoCloseable {
        private final OnnxValue[] values;

        Result(OnnxValue... values) {
            this.values = values;
        }

        public int size() {
            return values.length;
        }

        public OnnxValue get(int place) {
            return values[place];
        }

        public void close() {
            for (OnnxValue value : values) {
                value.close();
            }
        }
    }
}
