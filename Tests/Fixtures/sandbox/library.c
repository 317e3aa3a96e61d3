// A library that a prisoner loads.
int answer(void) { return 42; }
