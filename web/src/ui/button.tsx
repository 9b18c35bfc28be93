/** A button, or a link that looks like one. */
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import styles from "./button.module.css";

type Kind = "normal" | "primary" | "danger" | "quiet";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  /** Something is under way: the button says so and takes no second click. */
  busy?: boolean;
  icon?: ReactNode;
}

export function Button({ kind = "normal", busy = false, icon, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || rest.disabled}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
      className={`${styles.button} ${styles[kind]} ${rest.className ?? ""}`}
    >
      {icon}
      {children}
    </button>
  );
}

export function ButtonLink({
  kind = "normal",
  icon,
  children,
  ...rest
}: LinkProps & { kind?: Kind; icon?: ReactNode; children: ReactNode }) {
  return (
    <Link {...rest} className={`${styles.button} ${styles[kind]}`}>
      {icon}
      {children}
    </Link>
  );
}

/** A button that shows a mark only; `label` is what it is called. */
export function IconButton({ label, children, ...rest }: ButtonProps & { label: string }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={`${styles.button} ${styles.quiet} ${styles.icon}`}
    >
      {children}
    </button>
  );
}
