// The slip of a hand: looked at, sent round, saved.
import { busy, button, calm, guarded, h, sheet, show } from "./dom.js";
import { save } from "./net.js";
import { language, t } from "./text.js";

export const today = () => new Date().toLocaleDateString("sv-SE");

// `make` takes what is asked for in the address and whether the photo is to be on it, and gives the file.
export function slipSheet(hasPhoto, make, date = today()) {
  const place = h("div", { id: "slip-place" });
  const agreed = h("input", { type: "checkbox", id: "slip-photo", onchange: () => guarded(look) });
  const query = (kind) => new URLSearchParams({ format: kind, lang: language(), date });
  const name = `suanhu-${date}`;
  let shown = null;
  let asked = 0;
  const look = async () => {
    asked += 1;
    const mine = asked;
    show(place, busy("making_slip"));
    let made = null;
    let fault = null;
    try { made = await make(query("png"), agreed.checked); } catch (error) { fault = error.message; }
    await calm();
    // The photo was asked for or taken off meanwhile: that picture is the one to show.
    if (mine !== asked) return;
    if (fault !== null) { show(place, h("p", { class: "box" }, fault)); return; }
    shown = made;
    const url = URL.createObjectURL(shown);
    show(place, h("img", { src: url, alt: t("slip"), id: "slip-picture", onload: () => URL.revokeObjectURL(url) }), actions());
  };
  const actions = () => {
    const picture = new File([shown], `${name}.png`, { type: "image/png" });
    const shares = navigator.canShare && navigator.canShare({ files: [picture] });
    return h("div", { class: "row" },
      shares ? button("share", () => navigator.share({ files: [picture] }).catch(() => {}), { class: "main", id: "slip-share" }) : null,
      button("save_picture", () => save(picture, picture.name), { id: "slip-save" }),
      button("save_pdf", () => guarded(async () => save(await make(query("pdf"), agreed.checked), `${name}.pdf`)), { id: "slip-pdf" }));
  };
  sheet(t("slip"), hasPhoto ? h("label", { class: "check" }, agreed, h("span", {}, t("slip_photo"))) : null, place);
  return look();
}
