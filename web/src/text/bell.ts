/** Words of the way to the inbox, which every page has. */
import { formatCount } from "../ui/size.ts";

export const text = {
  bell: (unread: number) => (unread === 0 ? "Notifications" : `Notifications: ${formatCount(unread)} unread`),
  count: (unread: number) => (unread > 99 ? "99+" : String(unread)),
} as const;
