package android.graphics;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/** Stand-in that decodes with the JDK; like Android's it leaves EXIF alone and gives null for no picture. */
public class BitmapFactory {
    public static class Options {
        public boolean inJustDecodeBounds = false;
        public int inSampleSize = 1;
        public int outWidth = -1;
        public int outHeight = -1;
    }

    public static Bitmap decodeByteArray(byte[] data, int offset, int length, Options options) {
        BufferedImage image;
        try {
            image = ImageIO.read(new ByteArrayInputStream(data, offset, length));
        } catch (IOException error) {
            return null;
        }
        if (image == null) {
            return null;
        }
        int step = Math.max(1, options.inSampleSize);
        options.outWidth = image.getWidth() / step;
        options.outHeight = image.getHeight() / step;
        if (options.inJustDecodeBounds) {
            return null;
        }
        int[] pixels = new int[options.outWidth * options.outHeight];
        for (int y = 0; y < options.outHeight; y++) {
            for (int x = 0; x < options.outWidth; x++) {
                pixels[y * options.outWidth + x] = image.getRGB(x * step, y * step);
            }
        }
        return new Bitmap(options.outWidth, options.outHeight, pixels);
    }
}
