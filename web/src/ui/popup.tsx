/** A panel below a button, by the browser's own popover, which the button anchors: Escape or a click beside it closes it. */
import { ChevronDown } from "lucide-react";
import { useId, useState, type MouseEvent, type ReactNode } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import styles from "./popup.module.css";

export interface PopupProps {
  /** On the button. */
  children: ReactNode;
  /** What the panel is called. */
  label: string;
  icon?: ReactNode;
  kind?: NonNullable<ButtonProps["kind"]>;
  /** Drawn while it is open. */
  panel: () => ReactNode;
}

/** For links in a panel. */
export function closePopup(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
}

export function Popup({ children, label, icon, kind = "normal", panel }: PopupProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button kind={kind} icon={icon} popoverTarget={id} aria-expanded={open}>
        {children}
        <ChevronDown aria-hidden />
      </Button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles.popup}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {open ? panel() : null}
      </div>
    </div>
  );
}
