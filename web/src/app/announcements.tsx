/** Current announcements from administrators. */
import { $api } from "../api/client.ts";
import { Notice } from "../ui/notice.tsx";
import styles from "./announcements.module.css";

const tones = { info: "info", warning: "warn", critical: "bad" } as const;

export function Announcements() {
  const { data } = $api.useQuery("get", "/meta", {}, { staleTime: 60_000, refetchInterval: 5 * 60_000 });
  const announcements = data?.announcements ?? [];
  if (announcements.length === 0) return null;
  return (
    <div className={styles.announcements}>
      {announcements.map((announcement) => (
        <Notice key={announcement.id} tone={tones[announcement.level]}>
          {announcement.message}
        </Notice>
      ))}
    </div>
  );
}
