package android.app;

import android.content.Context;
import android.content.DialogInterface;
import android.view.View;

public class AlertDialog {
    public static class Builder {
        public static Builder last = null;
        public String title = null;
        public View view = null;
        public DialogInterface.OnClickListener yes = null;
        public DialogInterface.OnClickListener no = null;
        public boolean shown = false;

        public Builder(Context context) {
            last = this;
        }

        public Builder setTitle(CharSequence title) {
            this.title = title.toString();
            return this;
        }

        public Builder setView(View view) {
            this.view = view;
            return this;
        }

        public Builder setPositiveButton(CharSequence text, DialogInterface.OnClickListener listener) {
            yes = listener;
            return this;
        }

        public Builder setNegativeButton(CharSequence text, DialogInterface.OnClickListener listener) {
            no = listener;
            return this;
        }

        public AlertDialog show() {
            shown = true;
            return new AlertDialog();
        }

        /** For the tests: a finger on a button. */
        public void press(boolean right) {
            (right ? yes : no).onClick(null, right ? -1 : -2);
        }
    }
}
