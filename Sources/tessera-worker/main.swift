import TesseraWorker

#if EXAMINATION
  import TesseraExamination

  runMainThread { WorkerProcess.run(examiner: LoadingObserver()) }
#else
  runMainThread { WorkerProcess.run() }
#endif
