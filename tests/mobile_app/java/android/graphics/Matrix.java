package android.graphics;

import java.util.ArrayList;
import java.util.List;

/** Stand-in for turns by right angles and mirroring. */
public class Matrix {
    final List<String> steps = new ArrayList<>();

    public boolean postRotate(float degrees) {
        steps.add("turn" + (int) degrees);
        return true;
    }

    public boolean postScale(float x, float y) {
        if (x != -1f || y != 1f) {
            throw new IllegalArgumentException("only mirroring from left to right is known here");
        }
        steps.add("mirror");
        return true;
    }
}
