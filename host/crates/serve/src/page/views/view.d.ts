// What a view is. This file is used by the type checker only and is not part of the page.

export interface View {
  /** Shows something else, after the address has changed. */
  update(parameters: string[]): void;
  /** Stops timers, streams and shortcuts before another view opens. */
  close(): void;
}

/** Opens a view in an area. The parameters are the parts of the address after its name. */
export type OpenView = (area: HTMLElement, parameters: string[]) => View;
