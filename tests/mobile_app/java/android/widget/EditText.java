package android.widget;

import android.content.Context;
import android.view.View;

public class EditText extends View {
    private CharSequence text = "";
    public boolean single = false;

    public EditText(Context context) {}

    public void setSingleLine(boolean single) {
        this.single = single;
    }

    public void setText(CharSequence text) {
        this.text = text;
    }

    public CharSequence getText() {
        return text;
    }
}
