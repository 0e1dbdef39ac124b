package ai.onnxruntime;

public class OrtException extends Exception {
    public OrtException(String why) {
        super(why);
    }
}
