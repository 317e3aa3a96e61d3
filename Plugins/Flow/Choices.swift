import TesseraSDK

/// Which way the content scrolls.
enum ScrollDirection: String, Choice { case vertical, horizontal }

/// What section insets are measured from.
enum InsetReference: String, Choice { case contentInset, safeArea, layoutMargins }
