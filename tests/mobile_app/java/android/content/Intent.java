package android.content;

import android.net.Uri;
import android.os.Parcelable;
import java.util.TreeMap;

public class Intent implements Parcelable {
    public static final int FLAG_GRANT_READ_URI_PERMISSION = 1;
    public static final int FLAG_GRANT_WRITE_URI_PERMISSION = 2;
    public final String action;
    public String type = null;
    public String category = null;
    public int flags = 0;
    public Intent inner = null;
    public final TreeMap<String, String> extras = new TreeMap<>();
    private Uri data = null;

    public Intent(String action) {
        this.action = action;
    }

    public Intent putExtra(String name, Parcelable value) {
        extras.put(name, value.toString());
        return this;
    }

    public Intent putExtra(String name, CharSequence value) {
        extras.put(name, value.toString());
        return this;
    }

    public Intent addFlags(int more) {
        flags |= more;
        return this;
    }

    public Intent addCategory(String name) {
        category = name;
        return this;
    }

    public Intent setType(String name) {
        type = name;
        return this;
    }

    public Intent setData(Uri uri) {
        data = uri;
        return this;
    }

    public Uri getData() {
        return data;
    }

    public static Intent createChooser(Intent target, CharSequence title) {
        Intent chooser = new Intent("chooser");
        chooser.inner = target;
        return chooser;
    }
}
