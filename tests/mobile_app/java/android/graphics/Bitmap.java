package android.graphics;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** Stand-in: pixels as R, G, B, A in rows that are padded, as graphics memory may be. */
public final class Bitmap {
    private static final int PADDING = 12;
    final int width;
    final int height;
    final int[] pixels;

    Bitmap(int width, int height, int[] pixels) {
        this.width = width;
        this.height = height;
        this.pixels = pixels;
    }

    public int getWidth() {
        return width;
    }

    public int getHeight() {
        return height;
    }

    public int getRowBytes() {
        return width * 4 + PADDING;
    }

    public void copyPixelsToBuffer(Buffer target) {
        ByteBuffer bytes = (ByteBuffer) target;
        if (bytes.remaining() < getRowBytes() * height) {
            throw new RuntimeException("Buffer not large enough for pixels");
        }
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int colour = pixels[y * width + x];
                bytes.put((byte) (colour >> 16)).put((byte) (colour >> 8)).put((byte) colour).put((byte) 255);
            }
            for (int pad = 0; pad < PADDING; pad++) {
                bytes.put((byte) 77);
            }
        }
    }

    public static Bitmap createBitmap(
            Bitmap source, int x, int y, int width, int height, Matrix matrix, boolean filter) {
        Bitmap result = source;
        for (String step : matrix.steps) {
            result = step.equals("mirror") ? result.mirrored() : result.turned(Integer.parseInt(step.substring(4)));
        }
        return result;
    }

    private Bitmap mirrored() {
        int[] changed = new int[pixels.length];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                changed[y * width + x] = pixels[y * width + (width - 1 - x)];
            }
        }
        return new Bitmap(width, height, changed);
    }

    private Bitmap turned(int degrees) {
        Bitmap result = this;
        for (int quarter = 0; quarter < degrees / 90; quarter++) {
            int[] changed = new int[result.pixels.length];
            for (int y = 0; y < result.height; y++) {
                for (int x = 0; x < result.width; x++) {
                    changed[x * result.height + (result.height - 1 - y)] = result.pixels[y * result.width + x];
                }
            }
            result = new Bitmap(result.height, result.width, changed);
        }
        return result;
    }
}
