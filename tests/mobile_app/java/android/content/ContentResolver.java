package android.content;

import android.net.Uri;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.TreeMap;

/** Stand-in: a map of Uris to bytes. */
public class ContentResolver {
    public final TreeMap<String, ByteArrayOutputStream> files = new TreeMap<>();
    public final TreeMap<String, String> types = new TreeMap<>();

    public Uri insert(Uri collection, ContentValues values) {
        Uri uri = new Uri(collection + "/" + (files.size() + 1));
        files.put(uri.toString(), new ByteArrayOutputStream());
        types.put(uri.toString(), values.values.get("mime_type"));
        return uri;
    }

    public int delete(Uri uri, String where, String[] arguments) {
        return files.remove(uri.toString()) == null ? 0 : 1;
    }

    public InputStream openInputStream(Uri uri) throws FileNotFoundException {
        ByteArrayOutputStream file = files.get(uri.toString());
        if (file == null) {
            throw new FileNotFoundException(uri.toString());
        }
        return new ByteArrayInputStream(file.toByteArray());
    }

    public OutputStream openOutputStream(Uri uri) throws FileNotFoundException {
        ByteArrayOutputStream file = files.get(uri.toString());
        if (file == null) {
            throw new FileNotFoundException(uri.toString());
        }
        return file;
    }

    /** For the tests: what another app puts there. */
    public void fill(String uri, byte[] data) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(data, 0, data.length);
        files.put(uri, file);
    }

    public int size(String uri) {
        return files.containsKey(uri) ? files.get(uri).size() : -1;
    }
}
