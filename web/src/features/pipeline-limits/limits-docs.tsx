/** Where limits of pipelines are explained. */
import { text } from "../../text/pipeline-limits.ts";

export function LimitsDocs() {
  return (
    <p>
      <a href="/docs/pipelines/limits">{text.docs}</a>
    </p>
  );
}
