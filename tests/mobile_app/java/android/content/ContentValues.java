package android.content;

import java.util.TreeMap;

public final class ContentValues {
    public final TreeMap<String, String> values = new TreeMap<>();

    public void put(String key, String value) {
        values.put(key, value);
    }
}
