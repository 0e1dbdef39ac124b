package android.speech.tts;

import android.content.Context;
import android.os.Bundle;
import java.util.ArrayList;
import java.util.Locale;

/** Stand-in: has no voice for Taiwan, as many phones do not. */
public class TextToSpeech {
    public static final int QUEUE_FLUSH = 0;
    public static final ArrayList<String> said = new ArrayList<>();
    public static OnInitListener listener = null;
    private Locale locale = null;

    public interface OnInitListener {
        void onInit(int status);
    }

    public TextToSpeech(Context context, OnInitListener ready) {
        listener = ready;
    }

    /** For the tests: the engine has started. */
    public static void ready(int status) {
        listener.onInit(status);
    }

    public int setLanguage(Locale wanted) {
        if (wanted.getCountry().equals("TW")) {
            return -2;
        }
        locale = wanted;
        return 0;
    }

    public int speak(CharSequence text, int queue, Bundle parameters, String name) {
        said.add(locale.toLanguageTag() + " " + text);
        return 0;
    }
}
