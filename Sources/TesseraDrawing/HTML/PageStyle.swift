/// How the page looks, in light and in dark.
enum PageStyle {
  /// The classes `.h0`… (a section's hue) and `.s0`… (an item's shade in it).
  static var colours: Markup {
    var sheet = rules(Palette.light)
    sheet += "@media (prefers-color-scheme: dark) {\n"
    sheet += rules(Palette.dark)
    sheet += "}\n"
    return sheet
  }

  private static func rules(_ palette: Palette) -> Markup {
    var rules: Markup = ""
    for (hue, fills) in palette.fills.enumerated() {
      rules += ".h\(hue) { --ink: \(palette.inks[hue].hex) }\n"
      for (shade, fill) in fills.enumerated() {
        rules += ".h\(hue).s\(shade) { --fill: \(fill.hex) }\n"
      }
    }
    return rules
  }

  static let sheet: Markup = #"""
    :root {
      color-scheme: light dark;
      --page: #f5f6f8; --paper: #ffffff; --ground: #e9ecf1; --text: #1f2733; --soft: #5d6878;
      --edge: #d8dce3; --accent: #d6336c; --bar: #3b4758; --bar-ink: #ffffff;
      --hatch: #e7eaef; --hatch-line: #d3d9e2; --hatch-edge: #aab3c0; --badge: #5d6878;
      --mask: #3d4552;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #15181d; --paper: #1e2329; --ground: #191d22; --text: #e8ebf0; --soft: #9aa5b5;
        --edge: #343b45; --accent: #f06595; --bar: #c5cedb; --bar-ink: #15181d;
        --hatch: #272d35; --hatch-line: #353d48; --hatch-edge: #56616f; --badge: #7b8797;
        --mask: #0b0d10;
      }
    }
    * { box-sizing: border-box }
    body {
      margin: 0; padding: 24px; background: var(--page); color: var(--text);
      font: 13px/1.45 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Helvetica, Arial,
        sans-serif;
    }
    header { margin: 0 0 20px }
    h1 { font-size: 20px; margin: 0; line-height: 1.25 }
    header p { margin: 2px 0 0; color: var(--soft) }
    main { display: flex; flex-wrap: wrap; gap: 32px 44px; align-items: flex-start }
    .bench { min-width: 0 }
    #caption {
      margin: 0 0 6px; color: var(--accent); font-weight: 600; font-size: 11px;
      font-variant-numeric: tabular-nums;
    }
    #caption span { color: var(--soft); font-weight: 400 }
    #device {
      position: relative; min-width: 40px; min-height: 40px; background: var(--ground);
      outline: 1.5px dashed var(--accent); outline-offset: 1px;
      box-shadow: 0 8px 30px rgb(0 0 0 / .10);
    }
    #scroller {
      width: calc(100% + var(--bar-x, 0px)); height: calc(100% + var(--bar-y, 0px));
      overflow: hidden; scrollbar-width: thin;
    }
    #stage {
      position: relative; isolation: isolate; overflow: hidden;
      min-width: 100%; min-height: 100%;
    }
    #paper { position: absolute; background: var(--paper) }
    .handle { position: absolute; touch-action: none; background: none; border: 0; padding: 0 }
    .handle.right {
      right: calc(-12px - var(--bar-x, 0px)); top: 0; bottom: 0; width: 12px; cursor: ew-resize;
    }
    .handle.bottom {
      bottom: calc(-12px - var(--bar-y, 0px)); left: 0; right: 0; height: 12px; cursor: ns-resize;
    }
    .handle.corner {
      right: calc(-10px - var(--bar-x, 0px)); bottom: calc(-10px - var(--bar-y, 0px));
      width: 18px; height: 18px; cursor: nwse-resize;
      background: var(--paper); border: 2px solid var(--accent); border-radius: 50%;
    }
    .handle.corner:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
    .dragging * { user-select: none }
    .e {
      position: absolute; display: flex; flex-direction: column; align-items: center;
      justify-content: center; overflow: hidden; cursor: default; line-height: 1.15;
    }
    .e:hover { outline: 2px solid var(--accent); outline-offset: -1px }
    .e:focus { outline: 3px solid var(--accent); outline-offset: -1px }
    .e b { font-weight: 600; flex: none }
    .e span {
      font-size: 11px; max-width: 100%; padding: 0 5px; overflow: hidden; white-space: nowrap;
      text-overflow: ellipsis;
    }
    .e.cell {
      color: var(--ink); background: var(--fill); border-radius: min(4px, 12%);
      box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 20%, transparent);
    }
    .e.framed { background: color-mix(in srgb, var(--fill) 40%, var(--paper)) }
    .e b, .e span { position: relative; z-index: 1 }
    .picture {
      position: absolute; background: var(--fill); border-radius: min(2px, 12%);
      container-type: size;
    }
    .picture::before, .picture::after {
      content: ""; position: absolute; background: var(--ink); opacity: .16;
    }
    .picture::before {
      left: calc(72% - 9cqmin); top: calc(28% - 9cqmin); width: 18cqmin; height: 18cqmin;
      border-radius: 50%;
    }
    .picture::after {
      inset: 0; clip-path: polygon(10% 86%, 36% 44%, 54% 70%, 67% 54%, 90% 86%);
    }
    .picture.plain::before, .picture.plain::after { content: none }
    .mask { position: absolute; inset: 0; background: var(--mask) }
    .e.row { flex-direction: row; justify-content: flex-start; gap: 8px; padding: 0 10px }
    .e.row b { min-width: 18px }
    .e.row span { padding: 0; font-size: 13px }
    .rtl .e.row { flex-direction: row-reverse }
    .e.supplementary {
      background: var(--badge); color: #fff; border-radius: 12px; font-size: 12px;
      font-weight: 600; align-items: flex-start; padding: 0 10px; white-space: nowrap;
    }
    .rtl .e.supplementary { align-items: flex-end }
    .e.header { background: var(--bar); color: var(--bar-ink); border-radius: 0 }
    .e.footer {
      background: var(--paper); color: var(--bar); border-radius: 0;
      box-shadow: inset 0 0 0 1px var(--bar);
    }
    .e.supplementary.upright { writing-mode: vertical-rl; padding: 10px 0; align-items: center;
      justify-content: flex-start }
    .e.decoration {
      box-shadow: inset 0 0 0 1px var(--hatch-edge);
      background: repeating-linear-gradient(135deg, var(--hatch) 0 4px, var(--hatch-line) 4px 7px);
    }
    .e.decoration.line { background: var(--badge); box-shadow: none }
    aside { flex: 1 1 220px; max-width: 340px; padding-top: 20px }
    h2 { font-size: 16px; margin: 0 0 10px; overflow-wrap: anywhere }
    dl {
      display: grid; grid-template-columns: max-content 1fr; gap: 4px 14px; margin: 0 0 18px;
      font-variant-numeric: tabular-nums;
    }
    dt { color: var(--soft) }
    dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
    .hint { color: var(--soft); font-size: 12px; margin: 0 0 8px }
    .hint:empty { display: none }

    """#
}
