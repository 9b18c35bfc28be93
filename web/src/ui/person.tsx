/** A user or bot in a row: picture, name in full where there is one, and the user name. */
import { Link } from "react-router";
import { Avatar } from "./avatar.tsx";
import styles from "./person.module.css";

export interface ShownPerson {
  username: string;
  name: string;
  avatar_url: string;
  type: "user" | "bot";
}

export function Person({ user }: { user: ShownPerson }) {
  return (
    <span className={styles.person}>
      <Avatar src={user.avatar_url} size={24} />
      {/* A bot has no page of its own. */}
      {user.type === "bot" ? user.username : <Link to={`/${user.username}`}>{user.username}</Link>}
      {user.name === "" || user.name === user.username ? null : (
        <span className={styles.name}>{user.name}</span>
      )}
    </span>
  );
}
