import "#test/browser-globals.ts";
import { afterAll, expect, test } from "@jest/globals";
import { render } from "@testing-library/react";
import { useFootHeight } from "./viewport.ts";

const { ResizeObserver } = globalThis;
afterAll(() => {
  globalThis.ResizeObserver = ResizeObserver;
});

function Foot() {
  return <div ref={useFootHeight()} />;
}

test("notices are given how high the foot is, and that it is gone", () => {
  let grow = () => {};
  globalThis.ResizeObserver = class {
    constructor(onResize: ResizeObserverCallback) {
      grow = () => onResize([], this);
    }
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  const read = () => document.documentElement.style.getPropertyValue("--foot-height");
  const { container, unmount } = render(<Foot />);
  Object.defineProperty(container.firstElementChild, "offsetHeight", { value: 121 });
  grow();
  expect(read()).toBe("121px");
  unmount();
  expect(read()).toBe("");
});
