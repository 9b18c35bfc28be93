/** What was chosen to be applied together. */
import { text } from "../../text/reviews.ts";
import { Button } from "../../ui/button.tsx";
import { ApplyButton } from "./apply-button.tsx";
import styles from "./review-bar.module.css";
import { useBatch } from "./use-batch.ts";

export function BatchBar() {
  const { store, chosen } = useBatch();
  if (chosen.length === 0) return null;
  return (
    <span className={styles.actions} role="group" aria-label={text.batch}>
      <strong>{text.chosenSuggestions(chosen.length)}</strong>
      <ApplyButton suggestions={chosen} label={text.applyBatch} onDone={store.clear} />
      <Button onClick={store.clear}>{text.clearBatch}</Button>
    </span>
  );
}
