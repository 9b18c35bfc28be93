/** Leads to how mirrors work. */
import { text } from "../../text/mirrors.ts";

export function MirrorDocs() {
  return (
    <p>
      <a href="/docs/mirrors">{text.docs}</a>
    </p>
  );
}
