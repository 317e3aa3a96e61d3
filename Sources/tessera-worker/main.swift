import TesseraExamination
import TesseraWorker

MainThread.run { WorkerProcess.run(examiner: LoadingObserver()) }
