/** A menu that a button opens. What draws it is fetched when the first one is opened. */
import {
  cloneElement,
  lazy,
  Suspense,
  useState,
  type ButtonHTMLAttributes,
  type ReactElement,
  type ReactNode,
} from "react";
import { fetchPart } from "../api/fetch-part.ts";

export type MenuItem =
  | { kind: "link"; to: string; label: string; icon?: ReactNode }
  | { kind: "action"; label: string; onSelect: () => void; icon?: ReactNode; danger?: boolean }
  | {
      kind: "choice";
      label: string;
      /** Value → what it is called. */
      choices: Readonly<Record<string, string>>;
      value: string;
      onChange: (value: string) => void;
    }
  | { kind: "words"; label: string }
  | { kind: "line" };

export interface MenuProps {
  /** A `Button` or `IconButton`. */
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  label: string;
  items: readonly MenuItem[];
}

const OpenedMenu = lazy(async () => ({
  default: (await fetchPart(() => import("./opened-menu.tsx"))).OpenedMenu,
}));

export function Menu({ trigger, label, items }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const closed = cloneElement(trigger, {
    onClick: () => setWanted(true),
    "aria-haspopup": "menu",
    "aria-expanded": false,
    "aria-label": label,
  });
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenedMenu trigger={trigger} label={label} items={items} />
    </Suspense>
  );
}
