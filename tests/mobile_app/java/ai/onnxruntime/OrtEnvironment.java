package ai.onnxruntime;

/** Stand-in of the class of onnxruntime-android; keeps what it was asked. */
public final class OrtEnvironment {
    private static final OrtEnvironment ONLY = new OrtEnvironment();

    public static OrtEnvironment getEnvironment() {
        return ONLY;
    }

    public OrtSession createSession(byte[] model, OrtSession.SessionOptions options) throws OrtException {
        if (model.length < 4 || model[0] != 'O') {
            throw new OrtException("not a model");
        }
        return new OrtSession(options);
    }
}
