package android.app;

import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import java.io.File;

/** Stand-in: keeps the intents that were started. */
public class Activity extends Context {
    public final ContentResolver resolver = new ContentResolver();
    public Intent started = null;
    public int code = 0;
    public boolean nobody = false;

    public ContentResolver getContentResolver() {
        return resolver;
    }

    public void startActivityForResult(Intent intent, int code) {
        if (nobody) {
            throw new RuntimeException("ActivityNotFoundException");
        }
        this.started = intent;
        this.code = code;
    }

    public void startActivity(Intent intent) {
        this.started = intent;
    }

    public File getFilesDir() {
        return new File("/data/user/0/app/files");
    }
}
