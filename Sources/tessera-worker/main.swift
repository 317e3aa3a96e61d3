import TesseraWorker

#if EXAMINATION
  import TesseraExamination

  Threads.runMain { WorkerProcess.run(examiner: LoadingObserver()) }
#else
  Threads.runMain { WorkerProcess.run() }
#endif
