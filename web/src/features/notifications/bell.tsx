/** The way to the inbox, with how much of it is unread. Asked again every two minutes while the page is in sight. */
import { Bell } from "lucide-react";
import { Link } from "react-router";
import { $api } from "../../api/client.ts";
import { text } from "../../text/bell.ts";
import styles from "./bell.module.css";

const everyMs = 120_000;

export function NotificationBell() {
  const { data } = $api.useQuery(
    "get",
    "/notifications/count",
    {},
    { refetchInterval: everyMs, staleTime: everyMs / 2, refetchOnWindowFocus: true },
  );
  const unread = data?.unread ?? 0;
  return (
    <Link
      to="/notifications"
      className={styles.bell}
      title={text.bell(unread)}
      aria-label={text.bell(unread)}
    >
      <Bell aria-hidden />
      {unread === 0 ? null : (
        <span className={styles.count} aria-hidden>
          {text.count(unread)}
        </span>
      )}
    </Link>
  );
}
