/** Entries of the inbox by repository, of which some can be selected and changed together, with keys, too. */
import { useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/notifications.ts";
import { Button } from "../../ui/button.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { NotificationRow } from "./notification-row.tsx";
import styles from "./notifications.module.css";
import { useInboxKeys } from "./use-inbox-keys.ts";
import { byRepository, changeAll, type Notification } from "./use-notifications.ts";

interface Wanted {
  chosen: readonly Notification[];
  body: Schemas["NotificationUpdate"];
}

export function NotificationList({ notifications }: { notifications: readonly Notification[] }) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const selected = notifications.filter(({ id }) => ids.includes(id));
  const change = useChange(({ chosen, body }: Wanted) => changeAll(chosen, body));
  const run = (chosen: readonly Notification[], body: Wanted["body"]) =>
    change.mutate({ chosen, body }, { onError: showProblem });
  const ref = useInboxKeys(notifications, selected, {
    done: (chosen) => run(chosen, { done: !chosen.every((each) => each.done) }),
    save: (chosen) => run(chosen, { saved: !chosen.every((each) => each.saved) }),
    toggleRead: (chosen) => run(chosen, { unread: !chosen.some((each) => each.unread) }),
    read: (chosen) => run(chosen, { unread: false }),
  });
  const toggle = (id: string) => setIds(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]);
  return (
    <div className={styles.groups} ref={ref}>
      <BulkBar
        {...{ notifications, selected }}
        isBusy={change.isPending}
        onSelect={(chosen) => setIds(chosen.map(({ id }) => id))}
        onChange={(body) => run(selected, body)}
      />
      {byRepository(notifications).map(([name, entries]) => (
        <section key={name}>
          <div className={styles.group}>
            <h2>
              <Link to={`/${name}`}>{name}</Link>
            </h2>
          </div>
          <ul className={styles.list} aria-label={text.list(name)}>
            {entries.map((each) => (
              <NotificationRow
                key={each.id}
                notification={each}
                isSelected={ids.includes(each.id)}
                onSelect={() => toggle(each.id)}
                onChange={(body) => run([each], body)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function BulkBar(props: {
  notifications: readonly Notification[];
  selected: readonly Notification[];
  isBusy: boolean;
  onSelect: (chosen: readonly Notification[]) => void;
  onChange: (body: Wanted["body"]) => void;
}) {
  const { notifications, selected, isBusy, onSelect, onChange } = props;
  const isAll = selected.length === notifications.length;
  const areDone = selected.every(({ done }) => done);
  return (
    <div className={styles.bulk} role="group" aria-label={text.bulk}>
      <label className={styles.all}>
        <input type="checkbox" checked={isAll} onChange={() => onSelect(isAll ? [] : notifications)} />
        {selected.length === 0 ? text.selectAll : text.selected(selected.length)}
      </label>
      {selected.length === 0 ? null : (
        <>
          <Button busy={isBusy} onClick={() => onChange({ unread: false })}>
            {text.markRead}
          </Button>
          <Button busy={isBusy} onClick={() => onChange({ saved: true })}>
            {text.save}
          </Button>
          <Button busy={isBusy} onClick={() => onChange({ done: !areDone })}>
            {areDone ? text.undone : text.done}
          </Button>
        </>
      )}
    </div>
  );
}
