/** What administrators tell everybody now. */
import { $api } from "../api/client.ts";
import { Notice } from "../ui/notice.tsx";

const tones = { info: "info", warning: "warn", critical: "bad" } as const;

export function Announcements() {
  const { data } = $api.useQuery("get", "/meta", {}, { staleTime: 60_000, refetchInterval: 5 * 60_000 });
  return data?.announcements.map((announcement) => (
    <Notice key={announcement.id} tone={tones[announcement.level]}>
      {announcement.message}
    </Notice>
  ));
}
