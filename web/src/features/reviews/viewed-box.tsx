/** In a file's head: whether its reader has viewed it. A viewed file is folded. */
import { useSession } from "../../api/session.ts";
import { text } from "../../text/reviews.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { useReviewStore, useShownReview } from "./review-context.ts";
import { useIsViewed } from "./use-notes.ts";
import styles from "./threads.module.css";
import { useMarkViewed } from "./viewed-files.ts";

export function ViewedBox({ path, setOpen }: { path: string; setOpen: (isOpen: boolean) => void }) {
  const { mergeRequest } = useShownReview();
  const store = useReviewStore();
  const isViewed = useIsViewed(path);
  const mark = useMarkViewed(mergeRequest, store);
  const session = useSession();
  const { archived } = useRepository();
  if (!session || archived) return null;
  return (
    <label className={styles.viewed}>
      <input
        type="checkbox"
        data-viewed
        checked={isViewed}
        onChange={({ target }) => {
          mark(path, target.checked);
          setOpen(!target.checked);
        }}
      />
      {text.viewed}
      <span className="visually-hidden">{path}</span>
    </label>
  );
}
