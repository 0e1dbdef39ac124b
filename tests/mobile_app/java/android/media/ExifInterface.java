package android.media;

import java.io.IOException;
import java.io.InputStream;

/** Stand-in: finds the orientation in the EXIF of a JPEG, big endian, as the tests write it. */
public class ExifInterface {
    private int orientation = 0;

    public ExifInterface(InputStream stream) throws IOException {
        byte[] data = stream.readAllBytes();
        for (int place = 0; place + 12 < data.length; place++) {
            boolean tag = data[place] == 0x01 && data[place + 1] == 0x12 && data[place + 2] == 0 && data[place + 3] == 3;
            if (tag && data[place + 7] == 1) {
                orientation = data[place + 9];
                return;
            }
        }
    }

    public int getAttributeInt(String tag, int missing) {
        if (!tag.equals("Orientation")) {
            throw new IllegalArgumentException(tag);
        }
        return orientation == 0 ? missing : orientation;
    }
}
